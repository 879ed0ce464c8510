import { DavitError } from '@davit/api';

/**
 * Renders a space and a link to the help section about an error. The link opens in a new tab, so that forms keep their
 * input.
 */
export function HelpLink({ to }: { to: string | null }) {
  if (to === null) return null;
  return (
    <>
      {' '}
      <a href={to} target="_blank" rel="noreferrer" className="underline underline-offset-2">
        How to solve this<span className="sr-only">, in a new tab</span>
      </a>
    </>
  );
}

/** Returns the URL of the help section about an error. Returns `null` if no such help section exists. */
export function helpOf(error: Error | null): string | null {
  return error instanceof DavitError ? error.help : null;
}
