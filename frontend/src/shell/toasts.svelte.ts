/* Short messages that pass by at the page's edge. Trouble stays until it is dismissed; good news goes by itself. */

import { ApiProblem } from "../api";

export interface Toast {
  id: number;
  tone: "ok" | "danger";
  text: string;
  action?: { label: string; run: () => void };
}

const SECONDS = 6;

class Toasts {
  list = $state<Toast[]>([]);
  #next = 1;

  ok(text: string, action?: Toast["action"]): void {
    const id = this.#add(action ? { tone: "ok", text, action } : { tone: "ok", text });
    setTimeout(() => this.dismiss(id), SECONDS * 1000);
  }

  /** Says what went wrong; an `ApiProblem` in its own words. */
  trouble(error: unknown): void {
    this.#add({ tone: "danger", text: wordsOf(error) });
  }

  dismiss(id: number): void {
    this.list = this.list.filter((toast) => toast.id !== id);
  }

  #add(toast: Omit<Toast, "id">): number {
    const id = this.#next++;
    this.list = [...this.list.filter((old) => old.text !== toast.text), { ...toast, id }].slice(-4);
    return id;
  }
}

export const toasts = new Toasts();

export function wordsOf(error: unknown): string {
  if (error instanceof ApiProblem) return error.sentence;
  return error instanceof Error ? error.message : "Something went wrong";
}
