import { useQuery } from '@tanstack/react-query';
import { query, useAnswer } from '../../api.ts';
import { Button } from '../../ui/button.tsx';
import { Empty } from '../../ui/card.tsx';
import { CompactSelect } from '../../ui/compact-select.tsx';
import { FilterField } from '../../ui/filter-field.tsx';
import { Problem } from '../../ui/problem.tsx';
import { Spinner } from '../../ui/spinner.tsx';
import { useSearchChange } from '../../util/params.ts';
import { useSettled } from '../../util/settled.ts';
import { isThere } from '../installs/status.ts';
import { CatalogAway } from './catalog-away.tsx';
import { type Sought, useListing } from './listing.ts';
import { TemplateCard } from './template-card.tsx';

const SORTS = [
  { value: '', label: 'Newest release first' },
  { value: 'stars', label: 'Most stars first' },
] as const;

export function CatalogGrid({ sought }: { sought: Sought }) {
  const q = useSettled(sought.q);
  const { templates, showMore, busy, error, tryAgain } = useListing({ ...sought, q });
  const installed = useInstalled();
  if (templates === null && error !== null) return <CatalogAway error={error} busy={busy} tryAgain={tryAgain} />;
  return (
    <>
      <Filters sought={sought} />
      {templates === null ? (
        <p className="flex items-center justify-center gap-2 py-10 text-sm text-soft">
          <Spinner /> Loading the catalog…
        </p>
      ) : templates.length === 0 ? (
        <NothingFound sought={sought} />
      ) : (
        <ul aria-label="Templates" className="grid grid-cols-[repeat(auto-fill,minmax(min(18rem,100%),1fr))] gap-4">
          {templates.map((template) => (
            <li key={`${template.owner}/${template.name}`}>
              <TemplateCard template={template} installed={installed.has(`${template.owner}/${template.name}`)} />
            </li>
          ))}
        </ul>
      )}
      {templates !== null && error !== null && <Problem error={error} />}
      {showMore !== null && (
        <div className="flex justify-center">
          <Button busy={busy} onClick={showMore}>
            Show more
          </Button>
        </div>
      )}
    </>
  );
}

/**
 * Returns the names of the installed catalog templates, in the form `owner/name`. Only installations that the user may
 * see are included.
 */
function useInstalled(): ReadonlySet<string> {
  const installs = useAnswer('listTemplateInstalls');
  const there = installs.filter(({ status, origin }) => isThere(status) && origin.kind === 'catalog');
  return new Set(there.map(({ origin: { owner, name } }) => `${owner}/${name}`));
}

function Filters({ sought: { q, tag, sort } }: { sought: Sought }) {
  const change = useSearchChange();
  const { data } = useQuery({ ...query('listTemplateTags'), retry: false });
  const known = data?.tags ?? [];
  const tags = tag === '' || known.includes(tag) ? known : [tag, ...known];
  return (
    <search className="flex flex-wrap items-center gap-2">
      <FilterField label="Search the catalog" text={q} onChange={(text) => change({ q: text, pages: null })} />
      <CompactSelect
        label="Tag"
        value={tag}
        options={[{ value: '', label: 'Any tag' }, ...tags.map((one) => ({ value: one, label: one }))]}
        onChange={(one) => change({ tag: one || null, pages: null })}
      />
      <CompactSelect
        label="Order"
        value={sort === 'stars' ? 'stars' : ''}
        options={SORTS}
        onChange={(one) => change({ sort: one || null, pages: null })}
      />
    </search>
  );
}

function NothingFound({ sought: { q, tag } }: { sought: Sought }) {
  const change = useSearchChange();
  if (q === '' && tag === '') {
    return (
      <Empty title="No templates in the catalog">
        <p>
          The catalog lists repositories that publish a template in a release. You can also install a template from a
          repository or a file.
        </p>
      </Empty>
    );
  }
  return (
    <Empty title="No matching templates">
      <p>The search finds only templates whose name or description contains the exact text. Try a shorter text.</p>
      <div>
        <Button onClick={() => change({ q: null, tag: null, pages: null })}>Show all templates</Button>
      </div>
    </Empty>
  );
}
