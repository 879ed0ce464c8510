/**
 * Schemas for converting a Compose file to a template. The API response contains a note for each key of the Compose
 * file.
 */
import { z } from 'zod';
import { LOCAL_FILES_BYTES, MOST_LOCAL_FILES } from '../local-files.ts';
import { Slug } from './common.ts';
import { TEMPLATE_FILE_BYTES } from './template-install-input.ts';

const LocalFiles = z
  .record(z.string().min(1).max(1_024), z.string())
  .refine((files) => Object.keys(files).length <= MOST_LOCAL_FILES, `must have at most ${MOST_LOCAL_FILES} files`)
  .refine((files) => bytesOf(files) <= LOCAL_FILES_BYTES, `must have at most ${LOCAL_FILES_BYTES} bytes in total`)
  .describe(
    'Text files beside the Compose file: path relative to the folder of the Compose file, and content. Davit reads the files in `env_file` and the files that services mount. They become variables and files of the apps.',
  );

export const TemplateImportCreate = z
  .strictObject({
    compose: z.string().min(1).max(TEMPLATE_FILE_BYTES).describe('Content of a Compose file.'),
    project: Slug.optional().describe('Project name in the template. Default: the name in the Compose file.'),
    folder: z
      .string()
      .max(255)
      .optional()
      .describe(
        'Name of the folder that contains the Compose file. If the Compose file has no `name`, Davit uses the folder name as project name.',
      ),
    files: LocalFiles.optional(),
  })
  .meta({ id: 'TemplateImportCreate' });
export type TemplateImportCreate = z.infer<typeof TemplateImportCreate>;

export const TEMPLATE_NOTES = ['carried', 'changed', 'left-out'] as const;

export const TemplateImportNote = z
  .object({
    kind: z.enum(TEMPLATE_NOTES),
    service: z
      .string()
      .nullable()
      .describe('Name of the service in the Compose file. `null` if the note concerns the whole file.'),
    key: z.string().describe('Key in the Compose file.'),
    message: z
      .string()
      .describe(
        'Result of the conversion of this key: where the template contains the value, what Davit changed, or why Davit left the key out.',
      ),
  })
  .meta({ id: 'TemplateImportNote', description: 'Note about the conversion of one key of the Compose file.' });
export type TemplateImportNote = z.infer<typeof TemplateImportNote>;

export const TemplateImport = z
  .object({
    template: z
      .string()
      .describe('Content of the new `template.yaml`. You can install the template with `POST /template-installs`.'),
    valid: z
      .boolean()
      .describe('Whether the template can be installed without changes. If not, `problems` lists what to change.'),
    problems: z
      .array(
        z.object({
          severity: z.enum(['error', 'warning', 'info']),
          message: z.string(),
          line: z.int().optional().describe('Line number of the problem in the template. The first line is 1.'),
        }),
      )
      .describe('Problems in the new template.'),
    notes: z
      .array(TemplateImportNote)
      .describe('Notes about the conversion, in the order of the services in the Compose file.'),
  })
  .meta({ id: 'TemplateImport', description: 'Result of the conversion of a Compose file to a template.' });
export type TemplateImport = z.infer<typeof TemplateImport>;

function bytesOf(files: Record<string, string>): number {
  const encoder = new TextEncoder();
  return Object.values(files).reduce((sum, content) => sum + encoder.encode(content).length, 0);
}
