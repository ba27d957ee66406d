// stay_loaded.cpp: keeps a model's library from being unloaded once threads run in it, which would
// sleep in code that is gone after dlclose. Until then dlclose unloads it. Only shared libraries
// that symc links have this file: programs stay anyhow, and static ones have no dynamic loader.
#include "../core/pool.h"

#include <dlfcn.h>
#include <link.h>

void symc_stay_loaded() {
  static int32_t done;
  if (__atomic_load_n(&done, __ATOMIC_ACQUIRE))
    return;
  Dl_info info;
  struct link_map *map = nullptr;
  void **place = reinterpret_cast<void **>(&map);
  if (dladdr1(reinterpret_cast<const void *>(&done), &info, place, RTLD_DL_LINKMAP) && map)
    dlopen(map->l_name, RTLD_NOW | RTLD_NOLOAD | RTLD_NODELETE);
  __atomic_store_n(&done, 1, __ATOMIC_RELEASE);
}
