/* libnats.h -- the functions of libnats that line.c calls, found when they are needed.
 *
 * The library brings OpenSSL along: linked, it would cost every start of heddle a millisecond. */
#ifndef HD_FLEET_CLUSTER_LIBNATS_H
#define HD_FLEET_CLUSTER_LIBNATS_H
#include "base/err.h"

#include <nats/nats.h>

#define HD_NATS_FUNCTIONS(X)                                                                       \
    X(natsOptions_Create)                                                                          \
    X(natsOptions_Destroy)                                                                         \
    X(natsOptions_SetServers)                                                                      \
    X(natsOptions_SetName)                                                                         \
    X(natsOptions_SetTimeout)                                                                      \
    X(natsOptions_SetMaxReconnect)                                                                 \
    X(natsOptions_SetReconnectWait)                                                                \
    X(natsOptions_SetReconnectBufSize)                                                             \
    X(natsOptions_SetFailRequestsOnDisconnect)                                                     \
    X(natsOptions_SetErrorHandler)                                                                 \
    X(natsOptions_SetUserCredentialsFromFiles)                                                     \
    X(natsOptions_SetNKeyFromSeed)                                                                 \
    X(natsOptions_SetSecure)                                                                       \
    X(natsOptions_LoadCATrustedCertificates)                                                       \
    X(natsOptions_LoadCertificatesChain)                                                           \
    X(natsConnection_Connect)                                                                      \
    X(natsConnection_Close)                                                                        \
    X(natsConnection_Destroy)                                                                      \
    X(natsConnection_GetMaxPayload)                                                                \
    X(natsConnection_HasHeaderSupport)                                                             \
    X(natsConnection_JetStream)                                                                    \
    X(natsConnection_Publish)                                                                      \
    X(natsConnection_Subscribe)                                                                    \
    X(natsConnection_FlushTimeout)                                                                 \
    X(natsStatus_GetText)                                                                          \
    X(natsSubscription_Destroy)                                                                    \
    X(natsSubscription_Fetch)                                                                      \
    X(natsSubscription_NextMsg)                                                                    \
    X(natsSubscription_SetOnCompleteCB)                                                            \
    X(natsSubscription_Unsubscribe)                                                                \
    X(natsMsgList_Destroy)                                                                         \
    X(natsMsg_Ack)                                                                                 \
    X(natsMsg_Destroy)                                                                             \
    X(natsMsg_GetData)                                                                             \
    X(natsMsg_GetDataLength)                                                                       \
    X(natsMsg_GetMetaData)                                                                         \
    X(natsMsg_GetSequence)                                                                         \
    X(natsMsg_InProgress)                                                                          \
    X(natsMsg_Nak)                                                                                 \
    X(jsCtx_Destroy)                                                                               \
    X(jsOptions_Init)                                                                              \
    X(jsStreamConfig_Init)                                                                         \
    X(jsStreamInfo_Destroy)                                                                        \
    X(jsSubOptions_Init)                                                                           \
    X(jsPubOptions_Init)                                                                           \
    X(jsPubAck_Destroy)                                                                            \
    X(jsMsgMetaData_Destroy)                                                                       \
    X(jsAccountInfo_Destroy)                                                                       \
    X(js_AddStream)                                                                                \
    X(js_DeleteStream)                                                                             \
    X(js_PurgeStream)                                                                              \
    X(js_GetAccountInfo)                                                                           \
    X(js_GetLastMsg)                                                                               \
    X(js_GetStreamInfo)                                                                            \
    X(js_Publish)                                                                                  \
    X(js_PullSubscribe)                                                                            \
    X(js_SubscribeSync)

typedef struct hd_nats_functions {
#define X(name) typeof(name) *name;
    HD_NATS_FUNCTIONS(X)
#undef X
} hd_nats_functions;

/* All of them; NULL if the library is not there. */
const hd_nats_functions *hd_nats_load(hd_err *err);
#endif
