import { ButtonLink } from '../ui/button.tsx';
import { Empty } from '../ui/card.tsx';
import { Page } from './page.tsx';

export function NotFound() {
  return (
    <Page title="There is no such page">
      <Empty title="Nothing is at this address">
        <p>It may have been removed, or you may not see the project that it is in.</p>
        <div>
          <ButtonLink to="/">To the overview</ButtonLink>
        </div>
      </Empty>
    </Page>
  );
}
