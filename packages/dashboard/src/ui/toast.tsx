import { Toast } from '@base-ui/react/toast';
import type { ReactNode } from 'react';

const manager = Toast.createToastManager();

/** Says in passing that something was done. What went wrong is shown where it was asked for, or here where nothing stays. */
export function say(text: string): void {
  manager.add({ description: text, timeout: 4_000 });
}

export function sayProblem(error: Error): void {
  manager.add({ description: error.message, type: 'error', priority: 'high', timeout: 12_000 });
}

function Shown() {
  const { toasts } = Toast.useToastManager();
  return toasts.map((toast) => (
    <Toast.Root
      key={toast.id}
      toast={toast}
      className={`mb-2 rounded-lg border px-3 py-2 text-sm shadow-float ${toast.type === 'error' ? 'border-error bg-error-soft text-error' : 'border-line bg-panel'}`}
    >
      <Toast.Description />
    </Toast.Root>
  ));
}

export function Toasts({ children }: { children: ReactNode }) {
  return (
    <Toast.Provider toastManager={manager}>
      {children}
      <Toast.Portal>
        <Toast.Viewport className="fixed right-4 bottom-4 z-50 w-[min(24rem,calc(100vw-2rem))]">
          <Shown />
        </Toast.Viewport>
      </Toast.Portal>
    </Toast.Provider>
  );
}
