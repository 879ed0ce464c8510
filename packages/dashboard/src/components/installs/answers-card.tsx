import type { TemplateInstall } from '@davit/api';
import { Card, Facts } from '../../ui/card.tsx';
import { Copyable } from '../../ui/copy.tsx';
import { Time } from '../../ui/time.tsx';

/**
 * Shows the source of an installed template, including the exact release or commit, and the inputs of the installation.
 */
export function AnswersCard({ install }: { install: TemplateInstall }) {
  const { origin, by, via, created_at, previous_release, inputs } = install;
  const { commit, sha256, repository } = origin;
  const answers = Object.entries(inputs).filter(([, text]) => text !== '');
  return (
    <Card title="Source and inputs">
      <Facts
        rows={[
          [
            'Installed',
            <span key="by">
              by {by} ({via}) <Time at={created_at} />
            </span>,
          ],
          ...(repository === null ? [] : [['Repository', repository] as const]),
          ...(commit === null ? [] : [['Commit', <Copyable key="commit" text={commit} />] as const]),
          ['Manifest', <Copyable key="manifest" text={sha256} />],
          ...(previous_release === null ? [] : [['Previous release', previous_release] as const]),
          ...answers.map(([key, text]) => [key, text] as const),
        ]}
      />
    </Card>
  );
}
