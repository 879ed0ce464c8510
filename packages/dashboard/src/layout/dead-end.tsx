import type { ReactNode } from 'react';
import { ButtonLink } from '../ui/button.tsx';
import { Empty } from '../ui/card.tsx';
import { Page } from './page.tsx';

/** Renders a page with a reason and a link to the overview, if the requested page cannot be shown. */
export function DeadEnd({ title, reason, children }: { title: string; reason: string; children: ReactNode }) {
  return (
    <Page title={title}>
      <Empty title={reason}>
        <p>{children}</p>
        <div>
          <ButtonLink to="/">Back to overview</ButtonLink>
        </div>
      </Empty>
    </Page>
  );
}

/**
 * Renders the page for a missing resource.
 * @param reason error message of the server, or a sentence of the dashboard if no request was sent
 */
export function Missing({ title, reason }: { title: string; reason: string }) {
  return (
    <DeadEnd title={title} reason={reason}>
      It does not exist, or you have no access to its project.
    </DeadEnd>
  );
}
