/** A Compose file as a template, and what became of each of its keys. */
import { z } from 'zod';
import { Slug } from './common.ts';
import { TEMPLATE_FILE_BYTES } from './template-install-input.ts';

export const TemplateImportCreate = z
  .strictObject({
    compose: z.string().min(1).max(TEMPLATE_FILE_BYTES).describe('The text of a Compose file.'),
    project: Slug.optional().describe('The project that the template suggests. Absent: the name in the file.'),
  })
  .meta({ id: 'TemplateImportCreate' });
export type TemplateImportCreate = z.infer<typeof TemplateImportCreate>;

export const TEMPLATE_NOTES = ['carried', 'changed', 'left-out'] as const;

export const TemplateImportNote = z
  .object({
    kind: z.enum(TEMPLATE_NOTES),
    service: z.string().nullable().describe('Null: it is said of the file as a whole.'),
    key: z.string().describe('As it is written in the Compose file.'),
    message: z.string().describe('Where it went, what is different now, or why it is not there.'),
  })
  .meta({ id: 'TemplateImportNote', description: 'What became of a key of the Compose file.' });
export type TemplateImportNote = z.infer<typeof TemplateImportNote>;

export const TemplateImport = z
  .object({
    template: z.string().describe('The text of a `template.yaml`, to be installed as a file.'),
    valid: z.boolean().describe('It can be installed as it is. Otherwise `problems` say what is to be changed in it.'),
    problems: z
      .array(
        z.object({
          severity: z.enum(['error', 'warning', 'info']),
          message: z.string(),
          line: z.int().optional().describe('Of the template, from 1.'),
        }),
      )
      .describe('What a check says of the template.'),
    notes: z.array(TemplateImportNote).describe('By service, in the order of the file.'),
  })
  .meta({ id: 'TemplateImport', description: 'A Compose file as a template.' });
export type TemplateImport = z.infer<typeof TemplateImport>;
