import { Link } from '@tanstack/react-router';
import { useForbidden } from '../../layout/me.ts';
import { paths } from '../../paths.ts';
import { Button } from '../../ui/button.tsx';
import { Empty } from '../../ui/card.tsx';
import { Problem } from '../../ui/problem.tsx';

/**
 * Renders the error page for a template catalog that is unreachable or not configured. The error page also explains
 * what the user can do.
 */
export function CatalogAway({ error, busy, tryAgain }: { error: Error; busy: boolean; tryAgain: () => void }) {
  const forbidden = useForbidden('administer');
  return (
    <Empty title="Cannot show the catalog">
      <Problem error={error} className="text-left" />
      <p>
        Installed templates also run without the catalog. You can still install a template from a repository or a file.
      </p>
      <div className="flex flex-wrap items-center justify-center gap-3">
        <Button kind="primary" busy={busy} onClick={tryAgain}>
          Try again
        </Button>
        {forbidden === null && (
          <Link
            to={paths.settings()}
            search={{ section: 'templates' } as never}
            className="text-accent underline-offset-2 hover:underline"
          >
            Change catalog settings
          </Link>
        )}
      </div>
    </Empty>
  );
}
