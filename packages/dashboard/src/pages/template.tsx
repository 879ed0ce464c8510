import { useNavigate } from '@tanstack/react-router';
import { query, useAnswer } from '../api.ts';
import { InstallCard } from '../components/templates/install-card.tsx';
import { ReleaseList } from '../components/templates/release-list.tsx';
import { TemplateAbout } from '../components/templates/template-about.tsx';
import { Stars, TemplateIcon, Verified } from '../components/templates/template-card.tsx';
import { useForbidden } from '../layout/me.ts';
import { Page as Frame } from '../layout/page.tsx';
import type { LoadArgs } from '../load-args.ts';
import { paths, type TemplatePath } from '../paths.ts';
import { Button } from '../ui/button.tsx';
import { SearchTabs, tabOf } from '../ui/search-tabs.tsx';
import { useSearchChange, useSearchText, useTemplatePath } from '../util/params.ts';

const TABS = [
  { value: 'about', label: 'About' },
  { value: 'install', label: 'Install' },
  { value: 'releases', label: 'Releases' },
] as const;

export async function load({ queries, params: { owner, name }, search }: LoadArgs<TemplatePath>): Promise<void> {
  const params = { owner, name };
  const release = typeof search.release === 'string' ? { release: search.release } : {};
  await Promise.all([
    queries.ensureQueryData(query('getTemplate', { params })),
    queries.ensureQueryData(query('getTemplateManifest', { params, query: release })),
    queries.ensureQueryData(query('listTemplateReleases', { params })),
    queries.ensureQueryData(query('listTemplateInstalls')),
    queries.ensureQueryData(query('listProjects')),
    queries.ensureQueryData(query('listObjectStores')),
  ]);
}

/** Renders the page of a catalog template with a description, the resources and the install form. */
export function Page() {
  const path = useTemplatePath();
  const template = useAnswer('getTemplate', { params: path });
  const [text] = useSearchText('tab');
  const change = useSearchChange();
  const navigate = useNavigate();
  const forbidden = useForbidden('administer');
  const tab = tabOf(TABS, text);
  return (
    <Frame
      title={template.title}
      lead={
        <span className="flex flex-wrap items-center gap-x-3 gap-y-1 text-sm text-soft">
          <TemplateIcon url={template.icon_url} side={28} />
          <a href={template.url} target="_blank" rel="noreferrer" className="underline-offset-2 hover:underline">
            <bdi>
              {template.owner}/{template.name}
            </bdi>
          </a>
          {template.verified && <Verified />}
          <Stars stars={template.stars} />
        </span>
      }
      actions={
        tab !== 'install' && (
          <Button kind="primary" disabledBecause={forbidden} onClick={() => change({ tab: 'install' })}>
            Install…
          </Button>
        )
      }
      tabs={<SearchTabs label="Template" tabs={TABS} current={tab} />}
    >
      {tab === 'about' && <TemplateAbout template={template} />}
      {tab === 'install' && (
        <InstallCard
          template={template}
          onBegun={({ subject, id }) =>
            void navigate({ to: paths.install({ install: subject.name }), search: { run: String(id) } as never })
          }
        />
      )}
      {tab === 'releases' && <ReleaseList template={template} />}
    </Frame>
  );
}
