import { useBlocker } from '@tanstack/react-router';
import { Button } from './button.tsx';
import { Actions, Dialog } from './dialog.tsx';

interface RouteLocation {
  pathname: string;
  search: unknown;
}

/**
 * Returns the section of a settings page from the URL. Each section has its own form. If the user changes the section,
 * unsaved input can be lost.
 */
const sectionOf = ({ search }: RouteLocation) => (search as Record<string, unknown>).section;

/** Asks for confirmation when the user leaves a page with unsaved input. */
export function ConfirmBeforeLeaving({ unsaved, what }: { unsaved: boolean; what: string }) {
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
