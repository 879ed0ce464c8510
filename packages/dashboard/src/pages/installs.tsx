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
        <Empty title="No template is installed, or none that you see">
          <p>A template makes apps with their databases in one go: choose one, answer what it asks, and it runs.</p>
          <div>
            <ButtonLink kind="primary" to={paths.templates()}>
              Look at the catalog
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
          title="Uninstalled, with data that was kept"
          description="A later install in the same place can take it up."
        >
          <InstallsTable installs={left} />
        </Card>
      )}
    </Frame>
  );
}
