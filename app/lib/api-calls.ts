import type * as z from "zod/mini";
import type * as wire from "#domain/wire.ts";

type Wire = typeof wire;

/** The body that a request schema of the wire takes. */
type Input<Request extends keyof Wire> = Wire[Request] extends z.ZodMiniType ? z.input<Wire[Request]> : never;

/** A call without a body or a query. */
export interface Gets<Answer> {
  answer: Answer;
}
/** A call with a body. */
export interface Sends<Request extends keyof Wire, Answer> {
  body: Input<Request>;
  answer: Answer;
}
/** A call with a query. */
export interface Asks<Request extends keyof Wire, Answer> {
  query: Input<Request>;
  answer: Answer;
}

interface SessionAnswer {
  /** Null after a registration that waits for the email to be verified. */
  user: wire.CurrentUser | null;
}
interface MessageAnswer {
  message: string;
}

/** The API as the pages use it. Types only: a schema imported as a value would add zod to every page. */
export interface ApiCalls {
  "GET /api/auth/me": Gets<wire.CurrentUser | null>;
  "POST /api/auth/login": Sends<"loginRequest", wire.LoginAnswer>;
  "POST /api/auth/second-factor": Sends<"secondFactorRequest", wire.LoginAnswer>;
  "GET /api/auth/totp": Gets<wire.SecondFactorState>;
  "POST /api/auth/totp": Gets<wire.NewFactor>;
  "POST /api/auth/totp/enable": Sends<"codeRequest", wire.RecoveryCodesAnswer>;
  "DELETE /api/auth/totp": Gets<MessageAnswer>;
  "POST /api/auth/keep-factor": Sends<"mailedTokenRequest", MessageAnswer>;
  "POST /api/auth/recovery-codes": Gets<wire.RecoveryCodesAnswer>;
  "POST /api/auth/register": Sends<"registerRequest", SessionAnswer>;
  "POST /api/auth/logout": Gets<SessionAnswer>;
  "POST /api/auth/reset-password": Sends<"emailRequest" | "setPasswordRequest", MessageAnswer>;
  "POST /api/auth/resend-verification": Sends<"emailRequest", MessageAnswer>;
  "GET /api/auth/verify-email": Asks<"verifyEmailQuery", { email: string }>;
  "POST /api/auth/change-email": Sends<"changeEmailRequest", { pending: boolean }>;
  "POST /api/auth/change-password": Sends<"changePasswordRequest", SessionAnswer>;
  "GET /api/auth/sessions": Gets<wire.ListedSession[]>;
  "DELETE /api/auth/sessions": Gets<MessageAnswer>;
  "DELETE /api/auth/sessions/:id": Gets<MessageAnswer>;
  "POST /api/auth/confirm": Sends<"confirmRequest", wire.ConfirmAnswer>;
  "POST /api/auth/confirm/mail": Gets<MessageAnswer>;
  "POST /api/auth/mail-link": Sends<"emailRequest", MessageAnswer>;
  "POST /api/auth/mail-link/use": Sends<"mailLinkUseRequest", wire.LoginAnswer>;
  "GET /api/auth/providers": Gets<wire.ProvidersAnswer>;
  "POST /api/auth/providers/:name/link": Gets<wire.LinkProviderAnswer>;
  "DELETE /api/auth/providers/:name": Gets<MessageAnswer>;
  "POST /api/auth/passkey/options": Sends<"passkeyOptionsRequest", wire.PasskeyRequestOptions>;
  "POST /api/auth/passkey/login": Sends<"passkeyLoginRequest", SessionAnswer>;
  "GET /api/auth/passkeys": Gets<wire.PasskeysAnswer>;
  "POST /api/auth/passkeys/options": Gets<wire.PasskeyCreationOptions>;
  "POST /api/auth/passkeys": Sends<"addPasskeyRequest", wire.PasskeysAnswer>;
  "PATCH /api/auth/passkeys/:id": Sends<"changePasskeyRequest", wire.ListedPasskey>;
  "DELETE /api/auth/passkeys/:id": Gets<wire.PasskeysAnswer>;
  "GET /api/auth/devices": Gets<wire.ListedDevice[]>;
  "DELETE /api/auth/devices/:id": Gets<MessageAnswer>;
  "GET /api/auth/events": Gets<wire.AccountEvent[]>;
  "POST /api/auth/sign-out-everywhere": Sends<"signOutEverywhereRequest", MessageAnswer>;
  "POST /api/auth/not-me": Sends<"mailedTokenRequest", MessageAnswer>;
  "POST /api/auth/change-email/undo": Sends<"mailedTokenRequest", { email: string }>;
  "DELETE /api/auth/account": Sends<"deleteAccountRequest", MessageAnswer>;

  "GET /api/files": Asks<"filesQuery", unknown>;
  "GET /api/files/:id": Gets<wire.FileDetails>;
  /** For a file, for a transfer of many files, and for the guards of either. */
  "PATCH /api/files/:id": Sends<"changeFileRequest" | "changeTransferRequest" | "changeGuardsRequest", wire.ListedFile>;
  "GET /api/files/:id/guards": Gets<wire.LinkGuardsNow>;
  "PUT /api/files/:id/manifest": Sends<"putManifestRequest", wire.PutManifestAnswer>;
  "DELETE /api/files/:id": Gets<unknown>;
  "DELETE /api/files/:id/entries/:n": Gets<wire.ListedFile>;
  "POST /api/files/:id/share": Sends<"shareFileRequest" | "shareWithManyRequest", wire.ShareAnswer>;
  "GET /api/files/:id/recipients": Gets<wire.RecipientsAnswer>;
  "POST /api/files/:id/recipients/:recipientId/again": Gets<wire.ShareAnswer>;
  "DELETE /api/files/:id/recipients/:recipientId": Gets<unknown>;
  "PATCH /api/files/:id/notify": Sends<"changeNotifyRequest", unknown>;
  "GET /api/files/download/:id": Gets<wire.DownloadInfo>;
  "GET /api/files/download/:id/entries": Asks<"entriesQuery", wire.ListedEntries>;
  "POST /api/files/download/:id/unlock": Sends<"unlockRequest", wire.UnlockAnswer>;
  "POST /api/files/download/:id/take": Gets<wire.TakeAnswer>;
  "POST /api/files/download/:id/opened": { body: wire.OpenedRequest; answer: unknown };
  "POST /api/files/download/:id/report": Sends<"reportRequest", MessageAnswer>;

  "POST /api/direct-upload/presigned-url": Sends<"startUploadRequest", wire.StartUploadAnswer>;
  "POST /api/direct-upload/sign-parts": Sends<"signPartsRequest", wire.SignPartsAnswer>;
  "POST /api/direct-upload/complete": Sends<"completeUploadRequest", wire.CompleteUploadAnswer>;
  "POST /api/direct-upload/failed": Sends<"failedUploadRequest", unknown>;
  "POST /api/direct-upload/cancel": Sends<"cancelUploadRequest", unknown>;
  "POST /api/transfers": Sends<"startTransferRequest", wire.StartTransferAnswer>;
  "POST /api/transfers/:id/batch": Sends<"transferBatchRequest", wire.TransferBatchAnswer>;
  "POST /api/transfers/:id/finish": Sends<"finishTransferRequest", wire.FinishTransferAnswer>;
  "GET /api/direct-upload/unfinished": Gets<wire.UnfinishedUpload[]>;

  "GET /api/requests": Gets<wire.ListedUploadRequest[]>;
  "POST /api/requests": Sends<"createUploadRequest", wire.ListedUploadRequest>;
  "PATCH /api/requests/:id": Sends<"changeUploadRequest", wire.ListedUploadRequest>;
  "DELETE /api/requests/:id": Gets<MessageAnswer>;
  "GET /api/requests/by-link/:token": Gets<wire.ReadUploadRequestAnswer>;
  "POST /api/requests/by-link/:token/unlock": Sends<"unlockUploadRequest", wire.UnlockUploadRequestAnswer>;
  "POST /api/requests/by-link/:token/transfers": Sends<"startSendingRequest", wire.StartSendingAnswer>;
  "GET /api/received": { query: { cursor?: string; request?: string }; answer: wire.ReceivedPage };
  "POST /api/received/:id/link": Gets<wire.ReceivedTransfer>;
  "POST /api/received/:id/refuse": Sends<"refuseSenderRequest", MessageAnswer>;

  "POST /api/chunked-upload/init": Sends<"initChunkedRequest", wire.InitChunkedAnswer>;
  "POST /api/chunked-upload/finalize": Sends<"finalizeChunkedRequest", wire.FinalizeChunkedAnswer>;
  "POST /api/diagnostics/public-fix-cors": Gets<{ success: boolean; message: string }>;

  "GET /api/subscription/current-plan": Asks<"currentPlanQuery", wire.CurrentPlan>;
  "POST /api/subscription/checkout": Sends<"checkoutRequest", wire.CheckoutAnswer>;
  "POST /api/subscription/portal": Sends<"portalRequest", wire.PortalAnswer>;
  "POST /api/subscription/convert-to-stripe": Gets<wire.ConvertAnswer>;
  "POST /api/subscription/manual-update": Sends<"manualUpdateRequest", wire.ManualUpdateAnswer>;

  "POST /api/auth/device": Sends<"userCodeRequest", wire.WaitingDevice>;
  "POST /api/auth/device/approve": Sends<"userCodeRequest", MessageAnswer>;
  "POST /api/auth/device/refuse": Sends<"userCodeRequest", MessageAnswer>;

  "GET /api/notices": Gets<wire.NoticeSettings>;
  "PATCH /api/notices": Sends<"changeNoticesRequest", wire.NoticeSettings>;

  "GET /api/keys": Gets<wire.ListedKey[]>;
  "POST /api/keys": Sends<"makeKeyRequest", wire.MadeKey>;
  "PATCH /api/keys/:id": Sends<"changeKeyRequest", wire.ListedKey>;
  "DELETE /api/keys/:id": Gets<MessageAnswer>;

  "GET /api/webhooks": Gets<wire.ListedWebhook[]>;
  "POST /api/webhooks": Sends<"createWebhookRequest", wire.WebhookWithSecret>;
  "PATCH /api/webhooks/:id": Sends<"changeWebhookRequest", wire.ListedWebhook>;
  "DELETE /api/webhooks/:id": Gets<MessageAnswer>;
  "POST /api/webhooks/:id/rotate": Gets<wire.WebhookWithSecret>;
  "POST /api/webhooks/:id/ping": Gets<wire.ListedDelivery>;
  "GET /api/webhooks/:id/deliveries": Asks<"deliveriesQuery", wire.DeliveriesAnswer>;
  "POST /api/webhooks/:id/deliveries/:deliveryId/retry": Gets<wire.ListedDelivery>;

  "POST /api/contact": Sends<"contactRequest", MessageAnswer>;
  "POST /api/diagnostic/send-test-email": Sends<"testEmailRequest", MessageAnswer>;
}

type CallWithBody = {
  [Name in keyof ApiCalls]: ApiCalls[Name] extends { body: unknown } ? Name : never;
}[keyof ApiCalls];

export type BodyOf<Name extends CallWithBody> = ApiCalls[Name]["body"];
