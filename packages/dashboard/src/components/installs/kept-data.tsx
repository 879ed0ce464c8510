import type { TemplateInstall } from '@davit/api';
import { paths } from '../../paths.ts';
import { ButtonLink } from '../../ui/button.tsx';
import { Notice } from '../../ui/notice.tsx';
import { keptOf } from './status.ts';

/**
 * Shows the databases and volumes that were kept when a template was uninstalled. A new installation can use this data.
 */
export function KeptData({ install }: { install: TemplateInstall }) {
  const { origin, project, environment, status } = install;
  const kept = keptOf(install);
  if (status !== 'uninstalled' || kept.length === 0) return null;
  const again = origin.owner !== null && origin.name !== null && (
    <ButtonLink
      to={paths.template({ owner: origin.owner, name: origin.name })}
      search={{ tab: 'install', project, environment } as never}
    >
      Install again…
    </ButtonLink>
  );
  return (
    <Notice tone="good" action={again}>
      Kept databases and volumes with their data: {kept.map(({ reference }) => reference).join(', ')}. A new
      installation in {project}/{environment} can use this data.
    </Notice>
  );
}
