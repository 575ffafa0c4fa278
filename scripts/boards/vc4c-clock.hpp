// SPDX-License-Identifier: MIT
// What the adapter of VC4C's emulator needs of the emulator's source file: the class of the clock is complete
// only there. The user includes this file at the end of src/tools/Emulator.cpp.
#define MISPRINT_CLOCK __attribute__((visibility("default")))

MISPRINT_CLOCK vc4c::tools::EmulationClock *misprint_new_clock()
{
    return new vc4c::tools::EmulationClock{};
}
MISPRINT_CLOCK void misprint_free_clock(vc4c::tools::EmulationClock *clock)
{
    delete clock;
}
MISPRINT_CLOCK void misprint_tick(vc4c::tools::EmulationClock &clock)
{
    clock.executeClockCycle();
}
MISPRINT_CLOCK uint8_t misprint_register_index(vc4c::Register reg)
{
    return toIndex(reg);
}
