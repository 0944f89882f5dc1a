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

export async function wholePart<F extends Fact>(session: string, part: Dated<F> | null): Promise<Dated<F> | null> {
  if (!part?.cut.length) return part;
  const { fact } = await readWhole(session, part.seq);
  return { ...part, fact: fact as F, cut: [] };
}
