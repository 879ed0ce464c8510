import { Button } from './button.tsx';
import { Problem } from './problem.tsx';

/** Renders the button at the end of a list that loads older items of the list. */
export function ShowEarlier({
  of: { showEarlier, busy, error },
}: {
  of: { showEarlier: (() => void) | null; busy: boolean; error: Error | null };
}) {
  if (showEarlier === null) return null;
  return (
    <div className="mt-3 flex flex-col items-center gap-2">
      {error && <Problem error={error} />}
      <Button busy={busy} onClick={showEarlier}>
        Show earlier
      </Button>
    </div>
  );
}
