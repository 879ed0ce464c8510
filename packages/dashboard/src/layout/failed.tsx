import { DavitError } from '@davit/api';
import { useQueryErrorResetBoundary } from '@tanstack/react-query';
import { type ErrorComponentProps, useRouter } from '@tanstack/react-router';
import { Button } from '../ui/button.tsx';
import { HelpLink } from '../ui/help-link.tsx';
import { Problem } from '../ui/problem.tsx';
import { PartMissing, tryPartsAgain } from '../util/part.ts';
import { DeadEnd, Missing } from './dead-end.tsx';
import { Page } from './page.tsx';

/** Renders the error of a page that failed to load, with a button that tries again. */
export function Failed({ error, reset }: ErrorComponentProps) {
  const router = useRouter();
  const boundary = useQueryErrorResetBoundary();
  const problem: Error = error instanceof Error ? error : new Error(String(error));
  const again = () => {
    tryPartsAgain();
    boundary.reset();
    reset();
    void router.invalidate();
  };
  if (problem instanceof DavitError && (problem.code === 'not_found' || problem.code === 'no_such_route')) {
    return <Missing title="Not found" reason={problem.message} />;
  }
  if (problem instanceof DavitError && problem.code === 'forbidden') {
    return (
      <DeadEnd title="You cannot see this page" reason={problem.message}>
        An admin can give you another role.
        <HelpLink to={problem.help} />
      </DeadEnd>
    );
  }
  return (
    <Page title="Cannot show this page">
      <Problem error={problem} />
      <div className="flex flex-wrap gap-2">
        {problem instanceof PartMissing && (
          <Button kind="primary" onClick={() => window.location.reload()}>
            Reload page
          </Button>
        )}
        <Button onClick={again}>Try again</Button>
      </div>
    </Page>
  );
}
