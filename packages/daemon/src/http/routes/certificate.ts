import { operations } from '@davit/api';
import {
  bindExternalAccount,
  readAuthority,
  unbindExternalAccount,
} from '../../resources/certificates/authority-account.ts';
import {
  listCertificates,
  readCertificate,
  removeCertificate,
  renewCertificate,
  replaceCertificate,
  uploadCertificate,
} from '../../resources/certificates/certificate.ts';
import { type Binding, bind, created, noContent, ok, paged } from '../bind.ts';
import type { HttpDeps } from '../deps.ts';

export const certificateRoutes = (core: HttpDeps): Binding[] => [
  bind(operations.listCertificates, ({ ctx, query }) => paged(listCertificates(core, ctx, query))),
  bind(operations.uploadCertificate, async ({ ctx, body }) => {
    const certificate = await uploadCertificate(core, ctx, body);
    return created(certificate, `/api/certificates/${certificate.id}`);
  }),
  bind(operations.getCertificate, ({ ctx, params }) => ok(readCertificate(core, ctx, params.certificate))),
  bind(operations.replaceCertificate, async ({ ctx, params, body }) =>
    ok(await replaceCertificate(core, ctx, params.certificate, body)),
  ),
  bind(operations.removeCertificate, async ({ ctx, params }) => {
    await removeCertificate(core, ctx, params.certificate);
    return noContent();
  }),
  bind(operations.renewCertificate, ({ ctx, params }) => ({
    status: 202,
    body: renewCertificate(core, ctx, params.certificate),
  })),
  bind(operations.getAuthority, ({ ctx }) => ok(readAuthority(core, ctx))),
  bind(operations.bindExternalAccount, ({ ctx, body }) => ok(bindExternalAccount(core, ctx, body))),
  bind(operations.unbindExternalAccount, ({ ctx }) => {
    unbindExternalAccount(core, ctx);
    return noContent();
  }),
];
