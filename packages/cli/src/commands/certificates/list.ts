import type { Client, Domain } from '@davit/api';
import { defineCommand } from '../../declaration/command.ts';
import { certificateList, NO_CERTIFICATES } from '../../views/certificate.ts';
import { domainName } from '../../views/domain.ts';

export const command = defineCommand({
  path: ['cert', 'list'],
  summary: 'List certificates',
  examples: [{ line: 'davit cert list', does: 'List all certificates, and show problems with them' }],
  async run({ client, out }) {
    const api = await client();
    const certificates = await api.listCertificates();
    out.list(certificates, certificateList);
    if (certificates.length > 0 || out.isJson || out.isQuiet) return;
    for (const line of await whyNone(api)) out.note(line);
  },
});

/** Maximum number of apps whose domains are checked for problems. Each app needs a request. */
const MOST_APPS = 10;

/** Returns the reasons why the instance has no certificates, one per line. */
async function whyNone(api: Client): Promise<string[]> {
  if ((await api.getSettings()).acme.email === null) return [NO_CERTIFICATES.email];
  const apps = (await api.listApps()).filter(({ domains }) => domains.length > 0);
  if (apps.length === 0) return [NO_CERTIFICATES.domain];
  const found = await Promise.all(
    apps
      .slice(0, MOST_APPS)
      .map(({ project, environment, name }) => api.listDomains({ params: { project, environment, app: name } })),
  );
  return found.flat().map(reasonOf);
}

function reasonOf(domain: Domain): string {
  const { status, problem } = domain.certificate;
  return `${domainName(domain)}: ${problem ?? `The status of the certificate is ${status}.`}`;
}
