import { type Deployment, isTerminal } from '@davit/api';
import { useAnswer } from '../../api.ts';
import { paths } from '../../paths.ts';
import { ButtonLink } from '../../ui/button.tsx';
import { Notice } from '../../ui/notice.tsx';
import { useAppPath } from '../../util/params.ts';

export function UnderWay() {
  const path = useAppPath();
  /*
   * The API returns the newest deployment first. Only the oldest unfinished deployment can run, so search from the end
   * of the list.
   */
  const deployment = useAnswer('listDeployments', { params: path }).findLast(({ status }) => !isTerminal(status));
  if (deployment === undefined) return null;
  const { id, tag } = deployment;
  return (
    <Notice action={<ButtonLink to={paths.appDeployment({ ...path, deployment: id })}>View deployment</ButtonLink>}>
      Deployment #{id} of <span className="font-mono text-[0.8125rem]">{tag}</span> {wordsOf(deployment)}.
    </Notice>
  );
}

function wordsOf({ status, phase }: Deployment): string {
  if (status === 'pending') return 'is waiting for another deployment';
  return phase === null ? 'is running' : `is running: ${phase}`;
}
