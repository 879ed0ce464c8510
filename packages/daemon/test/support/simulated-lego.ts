import { type Lego, LegoFailed } from '../../src/adapters/lego/lego.ts';

/** A simulated lego with the provider `sample` that issues no certificates. */
export const simulatedLego: Lego = {
  providers: async () => ['sample'],
  tidy: async () => undefined,
  async obtain({ name }) {
    throw new LegoFailed(`No record of ${name} can be written here.`);
  },
};
