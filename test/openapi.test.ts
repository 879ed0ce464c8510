/** The OpenAPI documents follow all recommended rules of two linters. The linters read no file and use no network. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { createConfig, lintFromString } from '@redocly/openapi-core';
import spectralCore from '@stoplight/spectral-core';
import spectralRulesets from '@stoplight/spectral-rulesets';
import { catalogDocument } from '../packages/api/src/catalog/openapi.ts';
import { openApiDocument } from '../packages/api/src/openapi.ts';

const { Spectral } = spectralCore;
type Ruleset = Parameters<InstanceType<typeof Spectral>['setRuleset']>[0];

const DOCUMENTS = { instance: openApiDocument('1.0.0'), catalog: catalogDocument('1.0.0') };
// The types of two Spectral packages are incompatible, so the rule set needs a cast.
const RULES = { extends: [spectralRulesets.oas] } as unknown as Ruleset;

for (const [name, document] of Object.entries(DOCUMENTS)) {
  const source = JSON.stringify(document);

  describe(`the OpenAPI document of the ${name}`, () => {
    it('follows the recommended rules of Redocly', async () => {
      const config = await createConfig({ extends: ['recommended'] });
      const problems = await lintFromString({ source, absoluteRef: '/openapi.json', config });
      assert.deepEqual(
        problems.map(({ ruleId, message, location }) => `${ruleId}: ${message} ${location[0]?.pointer ?? ''}`),
        [],
      );
    });

    it('follows the rules of Spectral', async () => {
      const spectral = new Spectral();
      spectral.setRuleset(RULES);
      const problems = await spectral.run(source);
      assert.deepEqual(
        problems.map(({ code, message, path }) => `${code}: ${message} ${path.join('/')}`),
        [],
      );
    });
  });
}
