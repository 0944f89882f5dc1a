/* Numbers for people. */

export function tokens(amount: number): string {
  if (amount < 1_000) return String(amount);
  if (amount < 1_000_000) return `${(amount / 1_000).toFixed(amount < 10_000 ? 1 : 0)}k`;
  return `${(amount / 1_000_000).toFixed(1)}M`;
}

/** Dollars with as many places as they need to be more than nothing. */
export function dollars(amount: number): string {
  if (amount === 0) return "$0";
  if (amount < 0.01) return "< $0.01";
  return `$${amount.toFixed(2)}`;
}
