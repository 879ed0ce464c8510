import type { TemplateImport } from '@davit/api';
import { Notice } from '../../ui/notice.tsx';
import { byService, summary } from './notes.ts';

type Note = TemplateImport['notes'][number];

const KINDS: Record<Note['kind'], { word: string; look: string }> = {
  carried: { word: 'converted', look: 'bg-good-soft text-good' },
  changed: { word: 'changed', look: 'bg-warning-soft text-warning' },
  'left-out': { word: 'not supported', look: 'bg-error-soft text-error' },
};

/** Shows which parts of a Compose file were converted, changed or omitted. */
export function ImportReport({ made: { notes, valid, problems } }: { made: TemplateImport }) {
  const errors = problems.filter(({ severity }) => severity === 'error');
  return (
    <section aria-label="Result of the conversion" className="flex flex-col gap-3">
      <Notice tone={valid ? 'good' : 'warning'}>
        {summary(notes)}
        {!valid && ' The template is not valid. Correct it before you install it.'}
      </Notice>
      {errors.length > 0 && (
        <ul className="list-disc pl-5 text-sm text-error">
          {errors.map(({ message, line }) => (
            <li key={`${line} ${message}`}>
              {line !== undefined && `Line ${line}: `}
              {message}
            </li>
          ))}
        </ul>
      )}
      <section
        aria-label="Conversion report"
        className="max-h-72 overflow-y-auto rounded-md border border-line p-3"
        // biome-ignore lint/a11y/noNoninteractiveTabindex: keyboard users must be able to scroll this element
        tabIndex={0}
      >
        {byService(notes).map(({ service, notes: own }) => (
          <div key={service ?? ''} className="pb-3 last:pb-0">
            <h3 className="pb-1 text-sm">{service ?? 'Whole file'}</h3>
            <ul className="flex flex-col gap-1 text-sm">
              {own.map(({ kind, key, message }) => (
                <li key={`${kind} ${key} ${message}`} className="flex flex-wrap items-baseline gap-x-2">
                  <span className={`rounded px-1.5 text-xs font-medium ${KINDS[kind].look}`}>{KINDS[kind].word}</span>
                  <code className="font-mono text-xs break-all">{key}</code>
                  <span className="min-w-0 flex-1 basis-48 break-words text-soft">{message}</span>
                </li>
              ))}
            </ul>
          </div>
        ))}
      </section>
    </section>
  );
}
