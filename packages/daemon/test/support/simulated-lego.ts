import { type Lego, LegoFailed } from '../../src/adapters/lego/lego.ts';

/** Knows the provider `sample`, and gives no certificate. */
export const simulatedLego: Lego = {
  providers: async () => ['sample'],
  tidy: async () => undefined,
  async obtain({ name }) {
    throw new LegoFailed(`No record of ${name} can be written here.`);
  },
};
