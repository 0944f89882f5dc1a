/* Doing something again and again, but only while somebody looks at the page. */

/** Calls `what` at once, every `seconds` while the page is visible, and when it is looked at again. Gives the function that ends it. */
export function whileWatched(what: () => void, seconds: number): () => void {
  const glance = (): void => {
    if (!document.hidden) what();
  };
  glance();
  const timer = setInterval(glance, seconds * 1000);
  addEventListener("focus", glance);
  document.addEventListener("visibilitychange", glance);
  return () => {
    clearInterval(timer);
    removeEventListener("focus", glance);
    document.removeEventListener("visibilitychange", glance);
  };
}
