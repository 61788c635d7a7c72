import type { OpenedSeal } from "#domain/wire.ts";
import type { ManifestCalls } from "#engine/calls.ts";
import { call } from "../api.ts";

export const manifestCalls: ManifestCalls = {
  unlock: async (id, access) => {
    const answer = await call("POST /api/files/download/:downloadId/unlock", {
      params: { downloadId: id },
      body: { access },
    });
    return answer as typeof answer & OpenedSeal;
  },
  putManifest: (id, body, signal) => call("PUT /api/files/:id/manifest", { params: { id }, body, signal }),
};
