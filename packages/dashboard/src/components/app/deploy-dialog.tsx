import type { App } from '@davit/api';
import { useState } from 'react';
import { useSearchText } from '../../util/params.ts';
import { useSettled } from '../../util/settled.ts';
import type { DeploymentRequest } from './plan.ts';
import { PlanDialog } from './plan-dialog.tsx';
import { ReleaseChoice } from './release-choice.tsx';
import { TagChoice } from './tag-choice.tsx';

/**
 * Renders the dialog that deploys a tag of an app's image. The user selects a pushed release. If users do not push the
 * image to the instance's registry, the user selects a tag on the server or types a tag.
 */
export function DeployDialog({ app, onClose }: { app: App; onClose: () => void }) {
  const [named, setNamed] = useSearchText('tag');
  const [tag, setTag] = useState(named ?? app.tag ?? app.live_tag ?? '');
  const choose = (chosen: string) => {
    setTag(chosen);
    setNamed(chosen || null);
  };
  const settled = useSettled(tag.trim());
  const request: DeploymentRequest | null = settled === '' ? null : { operation: 'deployApp', body: { tag: settled } };
  const Choice = app.source === 'registry' ? ReleaseChoice : TagChoice;
  return (
    <PlanDialog
      app={app}
      title={`Deploy ${app.name}`}
      description="Starts the new release next to the live release. Requests go to the new release when it is healthy."
      asked={settled === tag.trim() ? request : null}
      none={settled === tag.trim() ? 'Choose a tag first.' : 'Wait until the deployment plan is loaded.'}
      action={tag.trim() === '' ? 'Deploy' : `Deploy ${tag.trim()}`}
      onClose={onClose}
    >
      <Choice app={app} tag={tag} onChoose={choose} />
    </PlanDialog>
  );
}
