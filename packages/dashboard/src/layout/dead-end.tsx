import type { ReactNode } from 'react';
import { ButtonLink } from '../ui/button.tsx';
import { Empty } from '../ui/card.tsx';
import { Page } from './page.tsx';

/** In the place of a page that cannot be shown, whatever one tries: why, and a way on. */
export function DeadEnd({ title, reason, children }: { title: string; reason: string; children: ReactNode }) {
  return (
    <Page title={title}>
      <Empty title={reason}>
        <p>{children}</p>
        <div>
          <ButtonLink to="/">To the overview</ButtonLink>
        </div>
      </Empty>
    </Page>
  );
}

/** @param reason the instance's own sentence, where it was asked */
export function Missing({ title, reason }: { title: string; reason: string }) {
  return (
    <DeadEnd title={title} reason={reason}>
      It may have been removed, or you may not see the project that it is in.
    </DeadEnd>
  );
}
