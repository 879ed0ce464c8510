import { Upload as UploadIcon } from 'lucide-react';
import { query } from '../api.ts';
import { mayAdminister } from '../components/admin/may.ts';
import { useNotForAll } from '../components/admin/not-for-all.ts';
import { NotForYou } from '../components/admin/not-for-you.tsx';
import { AuthorityCard } from '../components/certificates/authority.tsx';
import { OpenedCertificate } from '../components/certificates/details.tsx';
import { DnsProviders } from '../components/certificates/dns-list.tsx';
import { Certificates } from '../components/certificates/list.tsx';
import { Upload } from '../components/certificates/upload.tsx';
import { HostsWithout } from '../components/certificates/without.tsx';
import { useForbidden } from '../layout/me.ts';
import { Page as Frame } from '../layout/page.tsx';
import type { LoadArgs } from '../load-args.ts';
import { Button } from '../ui/button.tsx';
import { SearchTabs, tabOf } from '../ui/search-tabs.tsx';
import { useSearchChange, useSearchText } from '../util/params.ts';

const TABS = [
  { value: 'certificates', label: 'Certificates' },
  { value: 'authority', label: 'Certificate authority' },
  { value: 'dns', label: 'DNS providers' },
] as const;

export async function load({ queries }: LoadArgs) {
  const canAdminister = await mayAdminister(queries);
  await Promise.all([
    queries.ensureQueryData(query('listCertificates')),
    queries.ensureQueryData(query('listApps')),
    queries.ensureQueryData(query('getInstance')),
    queries.ensureQueryData(query('getSettings')),
    canAdminister ? queries.ensureQueryData(query('getAuthority')) : null,
    canAdminister ? queries.ensureQueryData(query('listDnsProviders')) : null,
  ]);
}

export function Page() {
  const notAdmin = useForbidden('administer');
  const forbidden = useNotForAll('change settings that affect all projects');
  const [text] = useSearchText('tab');
  const [upload, setUpload] = useSearchText('upload');
  const change = useSearchChange();
  const tab = tabOf(TABS, text);
  return (
    <Frame
      title="Certificates"
      actions={
        <Button disabledBecause={forbidden} onClick={() => change({ tab: null, upload: '1' })}>
          <UploadIcon className="size-4" aria-hidden /> Upload
        </Button>
      }
      tabs={<SearchTabs label="Certificates" tabs={TABS} current={tab} />}
    >
      {tab === 'certificates' && (
        <>
          <HostsWithout />
          <Certificates />
          <OpenedCertificate />
        </>
      )}
      {tab === 'authority' &&
        (notAdmin === null ? <AuthorityCard /> : <NotForYou what="the certificate authority" reason={notAdmin} />)}
      {tab === 'dns' && (notAdmin === null ? <DnsProviders /> : <NotForYou what="DNS providers" reason={notAdmin} />)}
      {upload !== null && forbidden === null && <Upload onClose={() => setUpload(null)} />}
    </Frame>
  );
}
