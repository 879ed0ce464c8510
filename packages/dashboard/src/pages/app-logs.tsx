import { AppFrame } from '../components/app/app-frame.tsx';
import { LogView } from '../components/logs/log-view.tsx';

export function Page() {
  return (
    <AppFrame wide>
      <LogView />
    </AppFrame>
  );
}
