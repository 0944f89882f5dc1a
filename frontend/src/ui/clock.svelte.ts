/* One shared clock for everything that shows how long ago something was: it ticks once a minute, and only while watched. */

import { createSubscriber } from "svelte/reactivity";

const subscribe = createSubscriber((update) => {
  const timer = setInterval(update, 30_000);
  return () => clearInterval(timer);
});

/** The present in milliseconds; whatever reads it in an effect or a template is read again every half minute. */
export function now(): number {
  subscribe();
  return Date.now();
}

const relative = new Intl.RelativeTimeFormat("en", { numeric: "auto", style: "short" });
const UNITS: [Intl.RelativeTimeFormatUnit, number][] = [
  ["year", 31_536_000],
  ["month", 2_592_000],
  ["week", 604_800],
  ["day", 86_400],
  ["hour", 3_600],
  ["minute", 60],
];

/** "just now", "5 min. ago", "yesterday" … */
export function ago(at: string | number | Date, present: number): string {
  const seconds = (new Date(at).getTime() - present) / 1000;
  const [unit, length] = UNITS.find(([, size]) => Math.abs(seconds) >= size) ?? [undefined, 0];
  return unit ? relative.format(Math.round(seconds / length), unit) : "just now";
}

export const clockTime = (at: string | number | Date): string =>
  new Date(at).toLocaleTimeString("en-GB", { hour: "2-digit", minute: "2-digit" });

export const fullTime = (at: string | number | Date): string =>
  new Date(at).toLocaleString("en-GB", { dateStyle: "medium", timeStyle: "medium" });

/** "0.4 s", "12 s", "3 min 05 s". */
export function duration(seconds: number): string {
  if (seconds < 10) return `${seconds.toFixed(1)} s`;
  if (seconds < 60) return `${Math.round(seconds)} s`;
  const whole = Math.round(seconds);
  return `${Math.floor(whole / 60)} min ${String(whole % 60).padStart(2, "0")} s`;
}
