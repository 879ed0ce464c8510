import { useBlocker } from '@tanstack/react-router';
import { Button } from './button.tsx';
import { Actions, Dialog } from './dialog.tsx';

interface Place {
  pathname: string;
  search: unknown;
}

/**
 * Returns the section of a settings page that is selected in the URL. If another section is selected, the user leaves
 * the form. Changes of other query parameters do not matter.
 */
const sectionOf = ({ search }: Place) => (search as Record<string, unknown>).section;

/** Asks for confirmation when the user leaves a page with unsaved input. */
export function AskBeforeLeaving({ unsaved, what }: { unsaved: boolean; what: string }) {
  const { status, proceed, reset } = useBlocker({
    shouldBlockFn: ({ current, next }) =>
      unsaved && (current.pathname !== next.pathname || sectionOf(current) !== sectionOf(next)),
    enableBeforeUnload: () => unsaved,
    withResolver: true,
  });
  return (
    <Dialog
      open={status === 'blocked'}
      onOpenChange={() => reset?.()}
      title="Leave without saving?"
      description={`${what} contain unsaved changes. You lose these changes if you leave this page.`}
    >
      <Actions>
        <Button onClick={() => reset?.()}>Stay on page</Button>
        <Button kind="danger" onClick={() => proceed?.()}>
          Leave page
        </Button>
      </Actions>
    </Dialog>
  );
}
