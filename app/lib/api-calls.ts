import type * as z from "zod/mini";
import type {
  AccountEvent,
  addPasskeyRequest,
  cancelUploadRequest,
  changeEmailRequest,
  changeFileRequest,
  changeGuardsRequest,
  changeKeyRequest,
  changeNoticesRequest,
  changeNotifyRequest,
  changePasswordRequest,
  changePasskeyRequest,
  changeTransferRequest,
  changeWebhookRequest,
  CheckoutAnswer,
  checkoutRequest,
  codeRequest,
  CompleteUploadAnswer,
  completeUploadRequest,
  failedUploadRequest,
  ConfirmAnswer,
  confirmRequest,
  contactRequest,
  ConvertAnswer,
  createWebhookRequest,
  CurrentPlan,
  currentPlanQuery,
  CurrentUser,
  deleteAccountRequest,
  DeliveriesAnswer,
  deliveriesQuery,
  DownloadInfo,
  emailRequest,
  entriesQuery,
  FileDetails,
  filesQuery,
  FinalizeChunkedAnswer,
  finalizeChunkedRequest,
  FinishTransferAnswer,
  finishTransferRequest,
  InitChunkedAnswer,
  initChunkedRequest,
  LinkGuardsNow,
  LinkProviderAnswer,
  NewFactor,
  NoticeSettings,
  ListedDelivery,
  ListedDevice,
  ListedEntries,
  ListedFile,
  ListedKey,
  ListedPasskey,
  ListedSession,
  ListedWebhook,
  LoginAnswer,
  loginRequest,
  MadeKey,
  mailedTokenRequest,
  mailLinkUseRequest,
  makeKeyRequest,
  ManualUpdateAnswer,
  manualUpdateRequest,
  PasskeyCreationOptions,
  passkeyLoginRequest,
  passkeyOptionsRequest,
  PasskeyRequestOptions,
  PasskeysAnswer,
  OpenedRequest,
  PortalAnswer,
  portalRequest,
  ProvidersAnswer,
  PutManifestAnswer,
  putManifestRequest,
  RecipientsAnswer,
  RecoveryCodesAnswer,
  registerRequest,
  reportRequest,
  secondFactorRequest,
  SecondFactorState,
  setPasswordRequest,
  ShareAnswer,
  shareFileRequest,
  shareWithManyRequest,
  signOutEverywhereRequest,
  SignPartsAnswer,
  signPartsRequest,
  StartTransferAnswer,
  startTransferRequest,
  StartUploadAnswer,
  startUploadRequest,
  TakeAnswer,
  testEmailRequest,
  TransferBatchAnswer,
  transferBatchRequest,
  UnfinishedUpload,
  UnlockAnswer,
  unlockRequest,
  userCodeRequest,
  verifyEmailQuery,
  WaitingDevice,
  WebhookWithSecret,
  changeUploadRequest,
  createUploadRequest,
  ListedUploadRequest,
  ReadUploadRequestAnswer,
  ReceivedPage,
  ReceivedTransfer,
  refuseSenderRequest,
  StartSendingAnswer,
  startSendingRequest,
  unlockUploadRequest,
  UnlockUploadRequestAnswer,
} from "#domain/wire.ts";

interface SessionAnswer {
  /** Null after a registration that waits for the email to be verified. */
  user: CurrentUser | null;
}
interface MessageAnswer {
  message: string;
}

/** The API as the pages use it. Types only: a schema imported as a value would add zod to every page. */
export interface ApiCalls {
  "GET /api/auth/me": { answer: CurrentUser | null };
  "POST /api/auth/login": { body: z.input<typeof loginRequest>; answer: LoginAnswer };
  "POST /api/auth/second-factor": { body: z.input<typeof secondFactorRequest>; answer: LoginAnswer };
  "GET /api/auth/totp": { answer: SecondFactorState };
  "POST /api/auth/totp": { answer: NewFactor };
  "POST /api/auth/totp/enable": { body: z.input<typeof codeRequest>; answer: RecoveryCodesAnswer };
  "DELETE /api/auth/totp": { answer: MessageAnswer };
  "POST /api/auth/keep-factor": { body: z.input<typeof mailedTokenRequest>; answer: MessageAnswer };
  "POST /api/auth/recovery-codes": { answer: RecoveryCodesAnswer };
  "POST /api/auth/register": { body: z.input<typeof registerRequest>; answer: SessionAnswer };
  "POST /api/auth/logout": { answer: SessionAnswer };
  "POST /api/auth/reset-password": {
    body: z.input<typeof emailRequest> | z.input<typeof setPasswordRequest>;
    answer: MessageAnswer;
  };
  "POST /api/auth/resend-verification": { body: z.input<typeof emailRequest>; answer: MessageAnswer };
  "GET /api/auth/verify-email": { query: z.input<typeof verifyEmailQuery>; answer: { email: string } };
  "POST /api/auth/change-email": { body: z.input<typeof changeEmailRequest>; answer: { pending: boolean } };
  "POST /api/auth/change-password": { body: z.input<typeof changePasswordRequest>; answer: SessionAnswer };
  "GET /api/auth/sessions": { answer: ListedSession[] };
  "DELETE /api/auth/sessions": { answer: MessageAnswer };
  "DELETE /api/auth/sessions/:id": { answer: MessageAnswer };
  "POST /api/auth/confirm": { body: z.input<typeof confirmRequest>; answer: ConfirmAnswer };
  "POST /api/auth/confirm/mail": { answer: MessageAnswer };
  "POST /api/auth/mail-link": { body: z.input<typeof emailRequest>; answer: MessageAnswer };
  "POST /api/auth/mail-link/use": { body: z.input<typeof mailLinkUseRequest>; answer: LoginAnswer };
  "GET /api/auth/providers": { answer: ProvidersAnswer };
  "POST /api/auth/providers/:name/link": { answer: LinkProviderAnswer };
  "DELETE /api/auth/providers/:name": { answer: MessageAnswer };
  "POST /api/auth/passkey/options": { body: z.input<typeof passkeyOptionsRequest>; answer: PasskeyRequestOptions };
  "POST /api/auth/passkey/login": { body: z.input<typeof passkeyLoginRequest>; answer: SessionAnswer };
  "GET /api/auth/passkeys": { answer: PasskeysAnswer };
  "POST /api/auth/passkeys/options": { answer: PasskeyCreationOptions };
  "POST /api/auth/passkeys": { body: z.input<typeof addPasskeyRequest>; answer: PasskeysAnswer };
  "PATCH /api/auth/passkeys/:id": { body: z.input<typeof changePasskeyRequest>; answer: ListedPasskey };
  "DELETE /api/auth/passkeys/:id": { answer: PasskeysAnswer };
  "GET /api/auth/devices": { answer: ListedDevice[] };
  "DELETE /api/auth/devices/:id": { answer: MessageAnswer };
  "GET /api/auth/events": { answer: AccountEvent[] };
  "POST /api/auth/sign-out-everywhere": { body: z.input<typeof signOutEverywhereRequest>; answer: MessageAnswer };
  "POST /api/auth/not-me": { body: z.input<typeof mailedTokenRequest>; answer: MessageAnswer };
  "POST /api/auth/change-email/undo": { body: z.input<typeof mailedTokenRequest>; answer: { email: string } };
  "DELETE /api/auth/account": { body: z.input<typeof deleteAccountRequest>; answer: MessageAnswer };

  "GET /api/files": { query: z.input<typeof filesQuery>; answer: unknown };
  "GET /api/files/:id": { answer: FileDetails };
  "PATCH /api/files/:id": {
    /** For a file, for a transfer of many files, and for the guards of either. */
    body:
      z.input<typeof changeFileRequest> | z.input<typeof changeTransferRequest> | z.input<typeof changeGuardsRequest>;
    answer: ListedFile;
  };
  "GET /api/files/:id/guards": { answer: LinkGuardsNow };
  "PUT /api/files/:id/manifest": { body: z.input<typeof putManifestRequest>; answer: PutManifestAnswer };
  "DELETE /api/files/:id": { answer: unknown };
  "DELETE /api/files/:id/entries/:n": { answer: ListedFile };
  "POST /api/files/:id/share": {
    body: z.input<typeof shareFileRequest> | z.input<typeof shareWithManyRequest>;
    answer: ShareAnswer;
  };
  "GET /api/files/:id/recipients": { answer: RecipientsAnswer };
  "POST /api/files/:id/recipients/:recipientId/again": { answer: ShareAnswer };
  "DELETE /api/files/:id/recipients/:recipientId": { answer: unknown };
  "PATCH /api/files/:id/notify": { body: z.input<typeof changeNotifyRequest>; answer: unknown };
  "GET /api/files/download/:id": { answer: DownloadInfo };
  "GET /api/files/download/:id/entries": { query: z.input<typeof entriesQuery>; answer: ListedEntries };
  "POST /api/files/download/:id/unlock": { body: z.input<typeof unlockRequest>; answer: UnlockAnswer };
  "POST /api/files/download/:id/take": { answer: TakeAnswer };
  "POST /api/files/download/:id/opened": { body: OpenedRequest; answer: unknown };
  "POST /api/files/download/:id/report": { body: z.input<typeof reportRequest>; answer: MessageAnswer };

  "POST /api/direct-upload/presigned-url": { body: z.input<typeof startUploadRequest>; answer: StartUploadAnswer };
  "POST /api/direct-upload/sign-parts": { body: z.input<typeof signPartsRequest>; answer: SignPartsAnswer };
  "POST /api/direct-upload/complete": { body: z.input<typeof completeUploadRequest>; answer: CompleteUploadAnswer };
  "POST /api/direct-upload/failed": { body: z.input<typeof failedUploadRequest>; answer: unknown };
  "POST /api/direct-upload/cancel": { body: z.input<typeof cancelUploadRequest>; answer: unknown };
  "POST /api/transfers": { body: z.input<typeof startTransferRequest>; answer: StartTransferAnswer };
  "POST /api/transfers/:id/batch": { body: z.input<typeof transferBatchRequest>; answer: TransferBatchAnswer };
  "POST /api/transfers/:id/finish": { body: z.input<typeof finishTransferRequest>; answer: FinishTransferAnswer };
  "GET /api/direct-upload/unfinished": { answer: UnfinishedUpload[] };

  "GET /api/requests": { answer: ListedUploadRequest[] };
  "POST /api/requests": { body: z.input<typeof createUploadRequest>; answer: ListedUploadRequest };
  "PATCH /api/requests/:id": { body: z.input<typeof changeUploadRequest>; answer: ListedUploadRequest };
  "DELETE /api/requests/:id": { answer: MessageAnswer };
  "GET /api/requests/by-link/:token": { answer: ReadUploadRequestAnswer };
  "POST /api/requests/by-link/:token/unlock": {
    body: z.input<typeof unlockUploadRequest>;
    answer: UnlockUploadRequestAnswer;
  };
  "POST /api/requests/by-link/:token/transfers": {
    body: z.input<typeof startSendingRequest>;
    answer: StartSendingAnswer;
  };
  "GET /api/received": { query: { cursor?: string; request?: string }; answer: ReceivedPage };
  "POST /api/received/:id/link": { answer: ReceivedTransfer };
  "POST /api/received/:id/refuse": { body: z.input<typeof refuseSenderRequest>; answer: MessageAnswer };

  "POST /api/chunked-upload/init": { body: z.input<typeof initChunkedRequest>; answer: InitChunkedAnswer };
  "POST /api/chunked-upload/finalize": {
    body: z.input<typeof finalizeChunkedRequest>;
    answer: FinalizeChunkedAnswer;
  };
  "POST /api/diagnostics/public-fix-cors": { answer: { success: boolean; message: string } };

  "GET /api/subscription/current-plan": { query: z.input<typeof currentPlanQuery>; answer: CurrentPlan };
  "POST /api/subscription/checkout": { body: z.input<typeof checkoutRequest>; answer: CheckoutAnswer };
  "POST /api/subscription/portal": { body: z.input<typeof portalRequest>; answer: PortalAnswer };
  "POST /api/subscription/convert-to-stripe": { answer: ConvertAnswer };
  "POST /api/subscription/manual-update": { body: z.input<typeof manualUpdateRequest>; answer: ManualUpdateAnswer };

  "POST /api/auth/device": { body: z.input<typeof userCodeRequest>; answer: WaitingDevice };
  "POST /api/auth/device/approve": { body: z.input<typeof userCodeRequest>; answer: MessageAnswer };
  "POST /api/auth/device/refuse": { body: z.input<typeof userCodeRequest>; answer: MessageAnswer };

  "GET /api/notices": { answer: NoticeSettings };
  "PATCH /api/notices": { body: z.input<typeof changeNoticesRequest>; answer: NoticeSettings };

  "GET /api/keys": { answer: ListedKey[] };
  "POST /api/keys": { body: z.input<typeof makeKeyRequest>; answer: MadeKey };
  "PATCH /api/keys/:id": { body: z.input<typeof changeKeyRequest>; answer: ListedKey };
  "DELETE /api/keys/:id": { answer: MessageAnswer };

  "GET /api/webhooks": { answer: ListedWebhook[] };
  "POST /api/webhooks": { body: z.input<typeof createWebhookRequest>; answer: WebhookWithSecret };
  "PATCH /api/webhooks/:id": { body: z.input<typeof changeWebhookRequest>; answer: ListedWebhook };
  "DELETE /api/webhooks/:id": { answer: MessageAnswer };
  "POST /api/webhooks/:id/rotate": { answer: WebhookWithSecret };
  "POST /api/webhooks/:id/ping": { answer: ListedDelivery };
  "GET /api/webhooks/:id/deliveries": { query: z.input<typeof deliveriesQuery>; answer: DeliveriesAnswer };
  "POST /api/webhooks/:id/deliveries/:deliveryId/retry": { answer: ListedDelivery };

  "POST /api/contact": { body: z.input<typeof contactRequest>; answer: MessageAnswer };
  "POST /api/diagnostic/send-test-email": { body: z.input<typeof testEmailRequest>; answer: MessageAnswer };
}

type CallWithBody = {
  [Name in keyof ApiCalls]: ApiCalls[Name] extends { body: unknown } ? Name : never;
}[keyof ApiCalls];

export type BodyOf<Name extends CallWithBody> = ApiCalls[Name]["body"];
