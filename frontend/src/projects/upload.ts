/* Sending a file with its form, while telling how far it has got (which `fetch` cannot). */

import { ApiProblem, csrfToken, refusal, withQuery } from "../api";

/** A list is sent as a field that is there several times. */
type Fields = Record<string, string | File | (string | File)[]>;

/** `progress` hears 0 to 1. Refusals are thrown as `ApiProblem`, like everywhere. */
export function upload<T>(path: string, fields: Fields, progress: (part: number) => void): Promise<T> {
  const form = new FormData();
  for (const [name, values] of Object.entries(fields)) for (const value of [values].flat()) form.append(name, value);
  return new Promise((resolve, reject) => {
    const request = new XMLHttpRequest();
    request.open("POST", withQuery(path));
    request.setRequestHeader("X-CSRFToken", csrfToken());
    request.setRequestHeader("Accept", "application/json");
    request.upload.onprogress = (event) => progress(event.lengthComputable ? event.loaded / event.total : 0);
    request.onload = () => (request.status < 300 ? resolve(parsed(request) as T) : reject(refusal(request.status, parsed(request))));
    request.onerror = () =>
      reject(new ApiProblem(0, { kind: "unavailable", title: "The upload broke off", detail: "Check your connection and try again." }));
    request.send(form);
  });
}

function parsed(request: XMLHttpRequest): unknown {
  try {
    return JSON.parse(request.responseText);
  } catch {
    return {};
  }
}
