import type { Log, ReportingDescriptor, Result } from 'sarif';
import { CODES, type Code, type CodeInfo } from '../codes.ts';
import type { Diagnostic, Severity } from '../diagnostic.ts';
import type { CheckedFile } from './checked-file.ts';
import { inOrder } from './order.ts';
import { visible } from './visible.ts';

const SCHEMA = 'https://json.schemastore.org/sarif-2.1.0.json';
const LEVELS = { error: 'error', warning: 'warning', info: 'note' } as const satisfies Record<Severity, string>;

const CODE_NAMES = Object.keys(CODES) as Code[];
const INDEX = new Map<string, number>(CODE_NAMES.map((code, index) => [code, index]));

/**
 * Converts diagnostics to a SARIF 2.1.0 log, which services such as GitHub can show.
 * @param files checked files. The name of a file is its URL or its path relative to the repository root
 */
export function sarifLog(files: readonly CheckedFile[], version: string): Log {
  const driver = { name: 'davit-template', semanticVersion: version, rules: CODE_NAMES.map(ruleOf) };
  const results = files.flatMap(({ file, diagnostics }) => inOrder(diagnostics).map((one) => resultOf(one, file)));
  return {
    $schema: SCHEMA,
    version: '2.1.0',
    runs: [{ tool: { driver }, columnKind: 'unicodeCodePoints', results }],
  };
}

function ruleOf(code: Code): ReportingDescriptor {
  const { means, fix, severities, layer }: CodeInfo = CODES[code];
  const [severity = 'error'] = severities;
  return {
    id: code,
    shortDescription: { text: means },
    fullDescription: { text: means },
    help: { text: `${means} ${fix}`, markdown: `${means}\n\n**What to do:** ${fix}` },
    defaultConfiguration: { level: LEVELS[severity] },
    properties: { tags: ['template', layer] },
  };
}

function resultOf({ severity, code, message, hint, line = 1, column }: Diagnostic, file: string): Result {
  const text = visible(hint === undefined ? message : `${message} ${hint}`);
  const region = { startLine: line, ...(column !== undefined && { startColumn: column }) };
  return {
    ruleId: code,
    ruleIndex: INDEX.get(code) ?? -1,
    level: LEVELS[severity],
    message: { text },
    locations: [{ physicalLocation: { artifactLocation: { uri: uriOf(file) }, region } }],
  };
}

/** Converts a file path to a relative URL. Returns a URL unchanged. */
function uriOf(file: string): string {
  if (/^https?:\/\//.test(file)) return file;
  const path = file.replaceAll('\\', '/').replace(/^(?:\.\/)+/, '');
  return path.split('/').map(encodeURIComponent).join('/');
}
