/**
 * Marks a line from stderr with a small label in a neutral color, because most programs also write normal messages to
 * stderr. The label is not part of copied text.
 */
export function StreamLabel({ stream }: { stream: 'stdout' | 'stderr' }) {
  if (stream === 'stdout') return null;
  return <span className="mr-2 shrink-0 font-sans text-[0.625rem] text-soft select-none">stderr</span>;
}
