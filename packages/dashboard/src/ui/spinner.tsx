const SHAPE =
  'inline-block size-3.5 shrink-0 motion-safe:animate-spin rounded-full border-2 border-current border-t-transparent';

/** Renders a spinner. If the spinner has no label, the text next to it must say what is in progress. */
export function Spinner({ label }: { label?: string }) {
  if (label === undefined) return <span aria-hidden className={SHAPE} />;
  return <span role="status" aria-label={label} className={SHAPE} />;
}
