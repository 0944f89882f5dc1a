/* A call with everything that came shortened fetched in full. */

import type { Fact } from "../protocol";
import type { CallItem, Dated } from "./items";
import { readWhole } from "./log";

export const isCut = (call: CallItem): boolean => [call.started, call.finished, call.approval].some((part) => part?.cut.length);

export async function wholeCall(session: string, call: CallItem): Promise<CallItem> {
  const [started, finished, approval] = await Promise.all([
    wholePart(session, call.started),
    wholePart(session, call.finished),
    wholePart(session, call.approval),
  ]);
  return { ...call, started, finished, approval };
}

/** One promise a part: a page asks whenever anything in the session changes, and would begin anew with another. */
const fetched = new WeakMap<object, Promise<unknown>>();

export function wholePart<F extends Fact>(session: string, part: Dated<F> | null): Promise<Dated<F> | null> {
  if (!part?.cut.length) return Promise.resolve(part);
  const before = fetched.get(part) as Promise<Dated<F>> | undefined;
  if (before) return before;
  const whole = readWhole(session, part.seq).then(({ fact }) => ({ ...part, fact: fact as F, cut: [] }));
  fetched.set(part, whole);
  whole.catch(() => fetched.delete(part));
  return whole;
}
