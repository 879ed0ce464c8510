import { query } from '../api.ts';
import { mayAdminister } from '../components/admin/may.ts';
import { useNotForAll } from '../components/admin/not-for-all.ts';
import { About } from '../components/settings/about.tsx';
import { ExternalAccount } from '../components/settings/external-account.tsx';
import { SECTIONS } from '../components/settings/fields.ts';
import { SettingsForm } from '../components/settings/settings-form.tsx';
import { useForbidden } from '../layout/me.ts';
import { Page as Frame } from '../layout/page.tsx';
import type { LoadArgs } from '../load-args.ts';
import { Notice } from '../ui/notice.tsx';
import { SearchTabs, tabOf } from '../ui/search-tabs.tsx';
import { useSearchText } from '../util/params.ts';

const TABS = [...SECTIONS.map(({ value, label }) => ({ value, label })), { value: 'about', label: 'About' }];

export async function load({ queries }: LoadArgs) {
  const canAdminister = await mayAdminister(queries);
  await Promise.all([
    queries.ensureQueryData(query('getSettings')),
    queries.ensureQueryData(query('getInstance')),
    canAdminister ? queries.ensureQueryData(query('getAuthority')) : null,
  ]);
}

/** Renders the instance settings. Users who may not change the settings can read them. */
export function Page() {
  const forbidden = useForbidden('administer');
  const readOnly = useNotForAll('change settings that affect all projects');
  const [text] = useSearchText('section');
  const current = tabOf(TABS, text);
  const section = SECTIONS.find(({ value }) => value === current);
  return (
    <Frame title="Settings" tabs={<SearchTabs label="Sections" name="section" tabs={TABS} current={current} />}>
      {section && readOnly !== null && <Notice>You can see these settings but not change them. {readOnly}</Notice>}
      {section && <SettingsForm key={section.value} section={section} readOnly={readOnly} />}
      {current === 'certificates' && forbidden === null && <ExternalAccount readOnly={readOnly} />}
      {current === 'about' && <About />}
    </Frame>
  );
}
