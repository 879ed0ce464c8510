import type { TemplateInstall } from '@davit/api';
import { ExternalLink } from 'lucide-react';
import { useAnswer } from '../../api.ts';
import { buttonClass } from '../../ui/button.tsx';
import { openingsOf } from './openings.ts';

/** Renders links that open the running apps of an installed template. */
export function Openings({ install }: { install: TemplateInstall }) {
  const apps = useAnswer('listApps');
  const certificates = useAnswer('listCertificates');
  const openings = openingsOf(install, apps, certificates, useAnswer('getInstance')).filter(({ isUp }) => isUp);
  if (openings.length === 0) return null;
  return (
    <ul aria-label="Apps to open" className="flex flex-wrap gap-2">
      {openings.map(({ app, url }, at) => (
        <li key={app}>
          <a
            href={url}
            target="_blank"
            rel="noreferrer"
            className={buttonClass(at === 0 ? 'primary' : 'plain', 'max-w-full')}
          >
            Open {app} <ExternalLink className="size-3.5" aria-hidden />
          </a>
        </li>
      ))}
    </ul>
  );
}
