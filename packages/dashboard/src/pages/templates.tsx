import { Plus } from 'lucide-react';
import { query } from '../api.ts';
import { FromElsewhere } from '../components/installs/from-elsewhere.tsx';
import { CatalogGrid } from '../components/templates/catalog-grid.tsx';
import { beginListing, soughtIn } from '../components/templates/listing.ts';
import { TemplateTabs } from '../components/templates/template-tabs.tsx';
import { useForbidden } from '../layout/me.ts';
import { Page as Frame } from '../layout/page.tsx';
import type { LoadArgs } from '../load-args.ts';
import { Button } from '../ui/button.tsx';
import { useSearchText } from '../util/params.ts';

export async function load({ queries, search }: LoadArgs): Promise<void> {
  beginListing(queries, search);
  await Promise.all([
    queries.ensureQueryData(query('listTemplateInstalls')),
    // Fetch the list of projects, because the dialog that installs a template needs this list.
    queries.ensureQueryData(query('listProjects')),
  ]);
}

export function Page() {
  const forbidden = useForbidden('administer');
  const [from, open] = useSearchText('new');
  const [q] = useSearchText('q');
  const [tag] = useSearchText('tag');
  const [sort] = useSearchText('sort');
  return (
    <Frame
      title="Templates"
      tabs={<TemplateTabs />}
      actions={
        <Button disabledBecause={forbidden} onClick={() => open('repository')}>
          <Plus className="size-4" aria-hidden /> From a repository or a file…
        </Button>
      }
    >
      <CatalogGrid sought={soughtIn({ q, tag, sort })} />
      {from !== null && forbidden === null && <FromElsewhere from={from} onChoose={open} onClose={() => open(null)} />}
    </Frame>
  );
}
