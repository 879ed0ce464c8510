import type { ComponentProps } from 'react';
import { isAboutFields } from '../util/field-error.ts';

/** Renders a form. While the submit button is disabled or a request is in progress, the form cannot be submitted. */
export function Form({
  disabledBecause = null,
  busy = false,
  error = null,
  onEdit,
  onSubmit,
  ...form
}: Omit<ComponentProps<'form'>, 'onSubmit' | 'onInput'> & {
  /** Message about what the user must do before the form can be submitted. `null` if the form can be submitted. */
  disabledBecause?: string | null;
  busy?: boolean;
  /** Error of the last submission, or `null`. */
  error?: Error | null;
  /**
   * Clears `error`. The form calls this function when the user changes a field after an error about form fields. The
   * error may then be outdated.
   */
  onEdit?: (() => void) | undefined;
  onSubmit: (form: HTMLFormElement) => void;
}) {
  return (
    <form
      {...form}
      onInput={() => {
        if (!busy && isAboutFields(error)) onEdit?.();
      }}
      onSubmit={(event) => {
        event.preventDefault();
        if (disabledBecause === null && !busy) onSubmit(event.currentTarget);
      }}
    />
  );
}
