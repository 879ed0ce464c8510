/**
 * Publishes rounds in an endless loop: `round-writer.ts <file> <templates>`. Every template contains the number of the
 * round as its stars, in its description and as its topic, so that a mix of two rounds is visible. Runs until it is
 * killed.
 */
import { openRecords } from '../../src/store/records.ts';
import { SAMPLE_PASS, sampleRelease, sampleRepository, saveTemplate } from './sample-store.ts';

const [file = '', templates = '0'] = process.argv.slice(2);
using records = openRecords(file);
/** Continue with the round after the last recorded round. */
for (let round = 1 + records.recorded(1).length; ; round += 1) {
  for (let id = 1; id <= Number(templates); id += 1) {
    const repository = sampleRepository(id, {
      description: `round ${round}.`,
      stars: round,
      topics: [`round-${round}`],
    });
    const second = String(round % 60).padStart(2, '0');
    const minute = String(Math.floor(round / 60) % 60).padStart(2, '0');
    const publishedAt = `2026-01-02T03:${minute}:${second}Z`;
    saveTemplate(records, repository, { release: sampleRelease(`${round}.0.0`, { publishedAt }) });
  }
  records.publish({ ...SAMPLE_PASS, repositories: round });
  process.stdout.write(`${round}\n`);
}
