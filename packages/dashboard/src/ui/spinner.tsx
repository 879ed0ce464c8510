const SHAPE =
  'inline-block size-3.5 shrink-0 motion-safe:animate-spin rounded-full border-2 border-current border-t-transparent';

/** Beside words that say what is under way, or with a label of its own. */
export function Spinner({ label }: { label?: string }) {
  if (label === undefined) return <span aria-hidden className={SHAPE} />;
  return <span role="status" aria-label={label} className={SHAPE} />;
}
