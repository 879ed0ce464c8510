import type { ReactNode } from 'react';
import { ButtonLink } from '../ui/button.tsx';
import { Empty } from '../ui/card.tsx';
import { Page } from './page.tsx';

/** Renders a page that replaces a page which cannot be shown. It contains the reason and a link to another page. */
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
 * Renders a page for a missing resource.
 * @param reason message of the instance, if a request was made
 */
export function Missing({ title, reason }: { title: string; reason: string }) {
  return (
    <DeadEnd title={title} reason={reason}>
      It does not exist, or you have no access to its project.
    </DeadEnd>
  );
}
