import { query, useAnswer } from '../api.ts';
import { InstallsTable } from '../components/installs/installs-table.tsx';
import { keptOf } from '../components/installs/status.ts';
import { TemplateTabs } from '../components/templates/template-tabs.tsx';
import { Page as Frame } from '../layout/page.tsx';
import type { LoadArgs } from '../load-args.ts';
import { paths } from '../paths.ts';
import { ButtonLink } from '../ui/button.tsx';
import { Card, Empty } from '../ui/card.tsx';

export async function load({ queries }: LoadArgs): Promise<void> {
  await queries.ensureQueryData(query('listTemplateInstalls'));
}

export function Page() {
  const installs = useAnswer('listTemplateInstalls');
  const here = installs.filter(({ status }) => status !== 'uninstalled');
  const left = installs.filter((install) => install.status === 'uninstalled' && keptOf(install).length > 0);
  return (
    <Frame title="Installed templates" tabs={<TemplateTabs />}>
      {here.length === 0 ? (
        <Empty title="No installed templates">
          <p>
            This page lists the installations that you can access. A template creates apps together with their
            databases. Choose a template in the catalog to install it.
          </p>
          <div>
            <ButtonLink kind="primary" to={paths.templates()}>
              Open catalog
            </ButtonLink>
          </div>
        </Empty>
      ) : (
        <Card>
          <InstallsTable installs={here} />
        </Card>
      )}
      {left.length > 0 && (
        <Card
          title="Data of uninstalled templates"
          description="A new installation in the same environment can use the data of the uninstalled template."
        >
          <InstallsTable installs={left} />
        </Card>
      )}
    </Frame>
  );
}
