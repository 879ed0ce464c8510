import type { ErrorComponentProps } from '@tanstack/react-router';
import { useRouter } from '@tanstack/react-router';
import { Button } from '../ui/button.tsx';
import { Problem } from '../ui/problem.tsx';
import { Page } from './page.tsx';

/** A page that could not be shown: why, and a way to try again. */
export function Failed({ error }: ErrorComponentProps) {
  const router = useRouter();
  return (
    <Page title="This page could not be shown">
      <Problem error={error instanceof Error ? error : new Error(String(error))} />
      <div>
        <Button onClick={() => void router.invalidate()}>Try again</Button>
      </div>
    </Page>
  );
}
