import type { OperationId } from '@davit/api';
import { query } from '../api.ts';
import { AppFrame } from '../components/app/app-frame.tsx';
import { loadApp } from '../components/app/load-app.ts';
import { CommandSection } from '../components/app-settings/command-section.tsx';
import { DangerSection } from '../components/app-settings/danger-section.tsx';
import { DomainsSection } from '../components/app-settings/domains-section.tsx';
import { FilesSection } from '../components/app-settings/files-section.tsx';
import { HealthSection } from '../components/app-settings/health-section.tsx';
import { LabelsSection } from '../components/app-settings/labels-section.tsx';
import { ResourcesSection } from '../components/app-settings/resources-section.tsx';
import { RevisionsSection } from '../components/app-settings/revisions-section.tsx';
import { SectionNav } from '../components/app-settings/section-nav.tsx';
import { type SectionId, sectionOf } from '../components/app-settings/sections.ts';
import { SourceSection } from '../components/app-settings/source-section.tsx';
import { StopSection } from '../components/app-settings/stop-section.tsx';
import { TcpPortsSection } from '../components/app-settings/tcp-ports-section.tsx';
import { VolumesSection } from '../components/app-settings/volumes-section.tsx';
import { loadEarlier } from '../earlier.ts';
import type { LoadArgs } from '../load-args.ts';
import type { AppPath } from '../paths.ts';
import { useSearchText } from '../util/params.ts';

const PARTS: Record<SectionId, () => React.ReactNode> = {
  source: SourceSection,
  health: HealthSection,
  command: CommandSection,
  resources: ResourcesSection,
  stop: StopSection,
  domains: DomainsSection,
  'tcp-ports': TcpPortsSection,
  volumes: VolumesSection,
  files: FilesSection,
  labels: LabelsSection,
  revisions: RevisionsSection,
  danger: DangerSection,
};

/**
 * Maps a section of the app settings to the API operations that the section needs in addition to `getApp`. This map
 * contains operations on the app, and `OTHERS` contains operations on other resources.
 */
const ANSWERS: Partial<Record<SectionId, readonly ('listDomains' | 'listTcpPorts' | 'listAppVolumes')[]>> = {
  domains: ['listDomains'],
  'tcp-ports': ['listTcpPorts'],
  volumes: ['listAppVolumes'],
};
const OTHERS: Partial<
  Record<SectionId, readonly ('getOwnRegistry' | 'getSettings' | 'listCertificates' | 'listVolumes')[]>
> = {
  source: ['getOwnRegistry'],
  domains: ['getSettings', 'listCertificates'],
  volumes: ['getSettings', 'listVolumes'],
} satisfies Partial<Record<SectionId, readonly OperationId[]>>;

export function load({ queries, params, search }: LoadArgs<AppPath>): Promise<unknown> {
  const { project, environment, app } = params;
  const path = { project, environment, app };
  const section = sectionOf(search.section);
  return Promise.all([
    loadApp({ queries, params }),
    ...(ANSWERS[section] ?? []).map((id) => queries.ensureQueryData(query(id as 'listDomains', { params: path }))),
    ...(OTHERS[section] ?? []).map((id) => queries.ensureQueryData(query(id as 'getSettings'))),
    section === 'revisions' && loadEarlier(queries, 'listRevisions', { params: path }, search.pages),
  ]);
}

export function Page() {
  const [text] = useSearchText('section');
  const section = sectionOf(text);
  const Section = PARTS[section];
  return (
    <AppFrame>
      <div className="grid grid-cols-[minmax(0,1fr)] items-start gap-5 lg:grid-cols-[10rem_minmax(0,1fr)]">
        <SectionNav current={section} />
        <Section />
      </div>
    </AppFrame>
  );
}
