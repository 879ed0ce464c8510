import type { ReactNode } from 'react';
import { ButtonLink } from '../ui/button.tsx';
import { Empty } from '../ui/card.tsx';
import { Page } from './page.tsx';

/**
 * Renders an error page that explains why the requested page cannot be shown. The error page has a link to the
 * overview.
 */
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
 * Renders the page for a resource that does not exist.
 * @param reason error message of the server; if the dashboard sent no request, a message of the dashboard
 */
export function Missing({ title, reason }: { title: string; reason: string }) {
  return (
    <DeadEnd title={title} reason={reason}>
      It does not exist, or you have no access to its project.
    </DeadEnd>
  );
}
