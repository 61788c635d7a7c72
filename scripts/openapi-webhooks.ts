import { WEBHOOK_BODIES, WEBHOOK_EXAMPLES, WEBHOOK_HEADER_EXAMPLES, webhookHeaders } from "#domain/webhooks/body.ts";
import { DELIVERY_TYPES, type DeliveryType } from "#domain/webhooks/events.ts";
import { jsonSchemaOf, parametersOf, type Json } from "./openapi-schemas.ts";

export const WEBHOOKS_TAG = "Webhooks";

const RESPONSES = {
  "2XX": { description: "It has come, within 15 seconds. The body is not read." },
  "410": { description: "The receiver wants no more. The webhook is switched off, and its owner gets a mail." },
  default: {
    description: "Every other answer is a failure, a redirect too. The event is sent again, for about three days.",
  },
};

/** The requests that this site makes, as the `webhooks` of OpenAPI 3.1 (https://spec.openapis.org/oas/v3.1.1). */
export function describeWebhooks(): Json {
  return Object.fromEntries(DELIVERY_TYPES.map((type) => [type, { post: describeEvent(type) }]));
}

function describeEvent(type: DeliveryType): Json {
  const { summary, body: example } = WEBHOOK_EXAMPLES[type];
  const headers = parametersOf("header", webhookHeaders, WEBHOOK_HEADER_EXAMPLES);
  return {
    operationId: type,
    summary,
    tags: [WEBHOOKS_TAG],
    security: [],
    parameters: headers.map((header) => ({ ...header, required: true })),
    requestBody: {
      required: true,
      content: { "application/json": { schema: jsonSchemaOf(WEBHOOK_BODIES[type], "output"), example } },
    },
    responses: RESPONSES,
  };
}
